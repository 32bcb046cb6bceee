"""The Ray Serve shells: each file is one deployment, thin over plain classes that know no Ray."""
