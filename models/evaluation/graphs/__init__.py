"""Exports token classifiers of any kind as an ONNX graph, which ONNX Runtime and OpenVINO run."""
