"""What the service tells about itself: metrics and traces. Code that is measured knows `meter` and `tracer` only, which
do nothing until an entry point installs an implementation; `roles` says which process tells what."""
