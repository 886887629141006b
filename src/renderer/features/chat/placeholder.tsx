export const NoteEditor = ({ path }: { path: string }) => <p>{path}</p>;
export const ContextPanel = ({ path }: { path: string }) => <p>{path}</p>;
