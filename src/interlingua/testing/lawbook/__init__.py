"""The laws that every format keeps, and the judges that they are held by."""
