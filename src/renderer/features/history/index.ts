export const HistoryView = () => null;
