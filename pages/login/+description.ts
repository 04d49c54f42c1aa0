export default 'For admins and moderators of the boards of DTPChan.'
