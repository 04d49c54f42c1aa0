export default 'State of the site, for admins.'
