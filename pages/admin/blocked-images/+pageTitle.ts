export default 'Blocked images · Admin'
