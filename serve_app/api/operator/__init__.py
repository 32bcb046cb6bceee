"""The API of operators, `/v1/operator`: off unless the setting `operator_api` switches it on."""
