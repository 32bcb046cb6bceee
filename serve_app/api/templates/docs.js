// Shows the API's OpenAPI document. A file of its own: the page's content security policy allows no inline scripts.
const root = document.getElementById("swagger-ui");

// Swagger UI gives most of its selects no name, and no way to scroll long examples with the keyboard.
new MutationObserver(() => {
  for (const select of root.querySelectorAll("select:not([aria-label])")) {
    const row = select.closest("[data-param-name]");
    select.setAttribute("aria-label", select.id === "servers" ? "Server" : row ? row.dataset.paramName : "Choice");
  }
  for (const text of root.querySelectorAll("pre:not([tabindex])")) text.tabIndex = 0;
}).observe(root, { childList: true, subtree: true });

SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#swagger-ui",
  layout: "BaseLayout",
  deepLinking: true,
  showExtensions: true,
  showCommonExtensions: true,
  // Its colours have too little contrast.
  syntaxHighlight: false,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIBundle.SwaggerUIStandalonePreset],
});
