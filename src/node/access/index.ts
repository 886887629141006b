/** Who may use the browser host: browsers of this person, known by a key that they cannot give away. */

export { type Access, createAccess, type Session } from './access';
export { writeInvitationFile } from './invitation-file';
export { createPictureAddresses, type PictureAddresses } from './picture-addresses';
export { refusalOf } from './requests';
