"""PROGRAM: the yield as a table and as a page with plots (`sh texttractor.sh report`).

table    for a terminal
page     one HTML file that needs nothing else; plots: its pictures, as SVG
program  edge: reads the counts, writes the page
"""
