export default 'Background jobs of the site, for admins.'
