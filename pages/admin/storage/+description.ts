export default 'Stored bytes of the site, for admins.'
