/** Finds and creates elements. Text is always inserted as text: names and reports are external data. */
export const find = (selector, root = document) => root.querySelector(selector);
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** `make('p', { class: 'hint' }, 'text', element)`; false and null attributes and children are left out. */
export const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
};

/** Shows a field's problem next to it and marks the field for screen readers; null clears both. */
export const showProblem = (field, text) => {
  const place = find(`#${field}-problem`);
  if (!place) return false;
  place.textContent = text ?? '';
  place.hidden = text === null;
  const control = find(`#${field}`);
  if (control && text !== null) control.setAttribute('aria-invalid', 'true');
  else control?.removeAttribute('aria-invalid');
  return true;
};

export const clearProblems = () => {
  for (const { id } of findAll('.problem')) showProblem(id.replace('-problem', ''), null);
};
