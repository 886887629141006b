export const HealthView = () => null;
