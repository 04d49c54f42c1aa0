export default 'Jobs · Admin'
