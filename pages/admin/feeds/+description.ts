export default 'News feeds of the site, for admins.'
