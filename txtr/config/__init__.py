"""What the user wants: options from defaults, config.txt and the command line.

options      every option, declared once: name, type, default, meaning, limits
values       the text of one value, and what it means
file         config.txt
expressions  lists of servers and regular expressions of any length
commandline  --name=value, and the words between the options
layers       the three layers made into one Options value; the later layer wins
places       the names of the files in the state directory
manual       --help and the tables of the manual, generated from the declarations

Invariant: an option is declared in one place only. Whatever a user gets wrong is a UserMistake that names the
option, the value and the place it came from.
"""
