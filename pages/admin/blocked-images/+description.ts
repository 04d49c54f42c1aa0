export default 'Images that nobody may upload again, for admins.'
