export default 'Users · Admin'
