export default 'What admins, moderators and authors removed, locked or restored on DTPChan, and why. Without names and removed content.'
