import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Choices } from './choices'

const field = { id: 'goals', name: 'goals', formId: 'form', errorId: 'goals-error', descriptionId: 'goals-hint' }

it("marks a group of checkboxes as required, in the contract's words", () => {
  const choices = { field: { ...field, key: undefined, errors: undefined }, legend: 'Your goals' }
  const html = renderToStaticMarkup(<Choices {...choices} values={['just_trying', 'semantic_search']} />)
  expect(html).toMatch(/<legend[^>]*>Your goals <span[^>]*>\*Required\*<\/span><\/legend>/)
  expect(html.match(/type="checkbox"/g)).toHaveLength(2)
})
