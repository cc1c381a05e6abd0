/** The inputs as a list, for the printed page. */
import { find, findAll } from './dom.js';

/** A field's label, without its mark. */
export const nameOf = (name) =>
  find(`[data-field="${name}"] label`)?.firstChild.textContent.trim().toLowerCase() ?? name;

const textOf = (field) => {
  const select = find('select', field);
  if (select) return select.selectedOptions[0]?.textContent ?? '';
  const input = find('input', field);
  return input.value === '' ? '' : `${input.value} ${find('.unit', field)?.textContent ?? ''}`.trim();
};

/** Names and values of all visible fields with a value; assumed ones are marked. */
export const settingsOf = () => [
  ...findAll('.field')
    .filter((field) => !field.closest('[hidden]'))
    .map((field) => [
      nameOf(field.dataset.field),
      `${textOf(field)}${field.hasAttribute('data-assumed') ? ' (assumed)' : ''}`,
    ])
    .filter(([, text]) => text !== ''),
  ...findAll('.items:not([hidden]) input:checked').map((box) => [box.name.toUpperCase(), box.value]),
];
