"""What the API and the web application share: requests as values, answers, errors."""
