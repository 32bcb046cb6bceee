"""What `invoices models lora` changes: F1 on a layout that is new to a vision model, and on those that it knows."""
