/** Who may use the browser host: browsers of this person, known by a key that they cannot give away. */

export { type Access, createAccess } from './access';
export { createImageAddresses, type ImageAddresses } from './image-addresses';
export { writeInvitationFile } from './invitation-file';
export { refusalOf } from './requests';
export type { Session } from './sessions';
