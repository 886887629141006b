/** What a window follows from its beginning to its end, and with its tools and their history open. */
export const followedByWindows = [
  'app.notices',
  'chat.runs',
  'chat.waiting',
  'health.report',
  'history.changes',
  'mcp.asks',
  'mcp.servers',
  'settings.current',
  'tools.approvals',
  'tools.catalog',
  'tools.grants',
  'tools.lastUsed',
  'tools.limits',
  'vault.state',
] as const;
