/** Draws the reference from the documents of this service; nothing of it asks another server. */
globalThis.Scalar.createApiReference('#reference', {
  sources: [
    { title: 'Main interface', slug: 'main', url: '/api/openapi.json', agent: { disabled: true } },
    { title: 'Versioned interface', slug: 'v2', url: '/v2/openapi.json', agent: { disabled: true } },
  ],
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideModels: true,
  persistAuth: false,
  operationTitleSource: 'path',
  showOperationId: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  theme: 'default',
});
