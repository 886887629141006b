export {
  addNotesNotice,
  createNotices,
  type DataPart,
  fileNotice,
  isAbout,
  isOfVault,
  type Notices,
  noticeServersGivenUp,
  taskNotice,
} from './notices';
