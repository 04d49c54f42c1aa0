export default 'Visualiser'
