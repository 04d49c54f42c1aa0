export default 'Boards of the site, for admins.'
