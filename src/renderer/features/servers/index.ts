export const ServersView = () => null;
