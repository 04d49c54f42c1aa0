export default 'About'
