export default 'Names, looks and pages of the site, for admins.'
