export default 'Filters for posts, pastes and names, for admins.'
