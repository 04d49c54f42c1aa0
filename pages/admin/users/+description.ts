export default 'Users of the site, for admins.'
