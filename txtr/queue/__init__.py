"""PROGRAM: looks into the frontier and changes it as the user wants (`sh texttractor.sh queue`).

command  the command line
program  edge: asks admin/, prints the answer
"""
