export default {
  holdPosts: 'A moderator reviews new posts before they appear.',
  membersThreads: 'Only members can create threads at the moment. Everyone can comment.',
  membersThreadsRefusal: 'Only members can create threads at the moment.',
  pastesOff: 'Pastes cannot be created at the moment.',
  proofOfWork: 'The boards are busy. Your browser solves a puzzle before each post, and some posts wait for review.',
  readOnly: 'The site is read-only at the moment.',
  readOnlyRefusal: 'The site is read-only at the moment. Please try again later.',
  textOnly: 'Posts are text only at the moment.',
  textOnlyRefusal: 'Posts are text only at the moment. Please post without an image.',
  uploadsOff: 'Images cannot be uploaded at the moment.',
} as const
