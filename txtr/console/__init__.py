"""What every program and every command does alike at the console.

program       runs them: --help and --version, complaints, exit codes
option_files  the options, and the texts of files that options name
contact       user@host, when the user has given no --contact
arguments     a parser of arguments that complains like everything else
table         what was found, as a table for people

Invariant: what goes wrong is one line on the standard error, never a trace. Code 2: the user can mend it; 1:
something broke.
"""
