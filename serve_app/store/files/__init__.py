"""The bytes of documents, kept in a folder, in MongoDB's GridFS or in an S3 bucket."""

from serve_app.store.files.folder import FolderFiles

__all__ = ["FolderFiles"]
