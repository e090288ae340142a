"""PROGRAM: the harvester walks through its batches, fetches, cleans and keeps."""
