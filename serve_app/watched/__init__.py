"""Access to watched folders: on a disk, in a bucket, on an SFTP server."""
