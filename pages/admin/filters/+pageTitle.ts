export default 'Filters · Admin'
