export const ownFolder = '.interlinear';
export const ownPath = (name: string) => `${ownFolder}/${name}`;
