"""Vision language models behind a server that speaks OpenAI's chat protocol: vLLM, SGLang, Ray Serve's LLM server and
others, on this machine, in this cluster, or hosted."""
