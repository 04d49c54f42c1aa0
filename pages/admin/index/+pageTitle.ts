export default 'Overview · Admin'
