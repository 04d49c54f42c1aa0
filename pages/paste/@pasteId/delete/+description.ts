export default 'Deletes a paste before it expires.'
