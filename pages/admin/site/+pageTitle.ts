export default 'Site · Admin'
