export default 'Held posts · Admin'
