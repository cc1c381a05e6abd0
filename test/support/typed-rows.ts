/**
 * Finds all statements in the sources with the row types that callers give them, using the compiler. Texts are
 * assembled like `sql` does: fragments are followed to their declaration, everything else is a parameter.
 */
import { relative, resolve } from 'node:path';
import {
  isArrowFunction,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast';
import type { Node } from 'typescript/unstable/ast';
import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync';
import type { Project, Type, UnionType } from 'typescript/unstable/sync';
import { columnOf, excludedText, insertTexts, setTexts } from '#store/postgres/sql.ts';

const root = resolve(import.meta.dirname, '../..');

export interface Field {
  /** Null for the value of the only column. */
  name: string | null;
  /** Type of non-null values: `string`, `number`, `boolean`, `Date` or `Buffer`; null for anything else. */
  kind: string | null;
  isOptional: boolean;
}

export interface Statement {
  file: string;
  line: number;
  /** Empty if it is only known at run time. */
  texts: readonly string[];
  /** Null: no type describes the rows. */
  fields: readonly Field[] | null;
}

/** The values of a fragment function's parameters. */
type Scope = ReadonlyMap<string, Fragment>;
interface Fragment {
  node: Node;
  scope: Scope;
}

/** A fragment that is only known at run time. */
class UnknownFragmentError extends Error {
  override name = 'UnknownFragmentError';
}

const keyOf = (node: Node): string => `${node.getSourceFile().fileName}:${node.pos}`;

const returnsOf = (node: Node): Node[] => {
  const found: Node[] = [];
  node.forEachChild((child) => {
    if (isReturnStatement(child) && child.expression) found.push(child.expression);
    else if (!isArrowFunction(child)) found.push(...returnsOf(child));
    return undefined;
  });
  return found;
};

const membersOf = (type: Type): readonly Type[] =>
  type.flags & TypeFlags.Union ? (type as UnionType).getTypes() : [type];

const kindOfFlags = (type: Type): string | null => {
  if (type.flags & TypeFlags.StringLike) return 'string';
  if (type.flags & TypeFlags.NumberLike) return 'number';
  if (type.flags & TypeFlags.BooleanLike) return 'boolean';
  const name = type.flags & TypeFlags.Object ? type.getSymbol()?.name : undefined;
  return name === 'Date' || name === 'Buffer' ? name : null;
};

/** Each question is asked to another process, and fragments recur. */
const remembered = <T>(find: (node: Node) => T): ((node: Node) => T) => {
  const known = new Map<Node, T>();
  return (node) => {
    const value = known.has(node) ? (known.get(node) as T) : find(node);
    known.set(node, value);
    return value;
  };
};

/** Reads a statement's texts: with the first branch of all its conditions, and with the other. */
const createReader = (project: Project): ((node: Node) => string[]) => {
  const { checker } = project;
  let isFirst = true;
  /** Whether it is always, sometimes or never a fragment. */
  const fragmentOf = remembered((node): 'always' | 'sometimes' | 'never' => {
    const type = checker.getTypeAtLocation(node);
    const members = type ? membersOf(type) : [];
    const fragments = members.filter((member) => member.getSymbol()?.name === 'Sql');
    if (fragments.length === 0) return 'never';
    return fragments.length === members.length ? 'always' : 'sometimes';
  });
  const declarationOf = remembered((node): Node | undefined => {
    const found = checker.getSymbolAtLocation(node);
    const symbol = found && found.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    return symbol?.valueDeclaration?.resolve(project);
  });
  const called = (node: Node, args: readonly Node[], scope: Scope): Fragment => {
    const declared = declarationOf(node);
    const fn = declared && isVariableDeclaration(declared) ? declared.initializer : undefined;
    if (!fn || !isArrowFunction(fn)) throw new UnknownFragmentError();
    const inner = new Map<string, Fragment>();
    fn.parameters.forEach((parameter, index) => {
      const given = args[index] ?? parameter.initializer;
      if (given) inner.set(keyOf(parameter), { node: given, scope });
    });
    const results = isBlock(fn.body) ? returnsOf(fn.body) : [fn.body];
    const result = results.at(isFirst ? 0 : -1);
    if (!result) throw new UnknownFragmentError();
    return { node: result, scope: inner };
  };
  const columnsOf = (node: Node | undefined): string[] => {
    const type = node && checker.getTypeAtLocation(node);
    return type ? checker.getPropertiesOfType(type).map(({ name }) => columnOf(name)) : [];
  };
  /** Texts of helpers that write a row's keys as columns. */
  const rowTextsOf = (node: Node): string[] | null => {
    if (!isCallExpression(node) || !isIdentifier(node.expression)) return null;
    const [first, second, third] = node.arguments;
    if (node.expression.text === 'setOf') return setTexts(columnsOf(first));
    if (node.expression.text === 'excludedOf') return [excludedText(columnsOf(first))];
    if (node.expression.text === 'insertOf' && first && isStringLiteral(first))
      return insertTexts(first.text, columnsOf(second));
    if (node.expression.text === 'insertId' && second && isStringLiteral(second))
      return insertTexts(second.text, columnsOf(third));
    return null;
  };
  /** Parts of the text between parameters. */
  const partsOf = ({ node, scope }: Fragment): string[] => {
    const row = rowTextsOf(node);
    if (row) return row;
    if (fragmentOf(node) === 'never') return ['', ''];
    if (isParenthesizedExpression(node)) return partsOf({ node: node.expression, scope });
    if (isConditionalExpression(node))
      return partsOf({ node: isFirst ? node.whenTrue : node.whenFalse, scope });
    if (isIdentifier(node)) {
      const declared = declarationOf(node);
      const given = declared && isParameterDeclaration(declared) ? scope.get(keyOf(declared)) : undefined;
      if (given) return partsOf(given);
      if (declared && isVariableDeclaration(declared) && declared.initializer)
        return partsOf({ node: declared.initializer, scope });
      if (fragmentOf(node) === 'sometimes') return ['', ''];
    }
    if (isCallExpression(node)) return partsOf(called(node.expression, node.arguments, scope));
    if (!isTaggedTemplateExpression(node)) throw new UnknownFragmentError();
    const { template } = node;
    if (isNoSubstitutionTemplateLiteral(template)) return [template.text];
    if (!isTemplateExpression(template)) throw new UnknownFragmentError();
    const parts = [template.head.text];
    for (const { expression, literal } of template.templateSpans) {
      const [head = '', ...rest] = partsOf({ node: expression, scope });
      parts[parts.length - 1] += head;
      parts.push(...rest);
      parts[parts.length - 1] += literal.text;
    }
    return parts;
  };
  const textOf = (node: Node): string[] => {
    try {
      return [partsOf({ node, scope: new Map() }).reduce((before, part, i) => `${before}$${i}${part}`)];
    } catch (error) {
      if (error instanceof UnknownFragmentError) return [];
      throw error;
    }
  };
  return (node) => {
    isFirst = true;
    const texts = textOf(node);
    isFirst = false;
    return [...new Set([...texts, ...textOf(node)])];
  };
};

/** Fields of every member of a union. */
const fieldsOf = ({ checker }: Project, type: Type): Field[] => {
  const members = membersOf(type).map((member) => checker.getPropertiesOfType(member));
  const names = new Set(members.flat().map(({ name }) => name));
  return [...names].map((name) => {
    const properties = members.flatMap((member) => member.filter((property) => property.name === name));
    const kinds = new Set(
      properties.flatMap((property) => {
        const declared = checker.getTypeOfSymbol(property);
        const value = declared && checker.getNonNullableType(declared);
        return value ? membersOf(value).map(kindOfFlags) : [null];
      }),
    );
    const [kind = null] = kinds.size === 1 ? kinds : [];
    const isOptional =
      properties.length < members.length ||
      properties.some(({ flags }) => (flags & SymbolFlags.Optional) !== 0);
    return { name, kind, isOptional };
  });
};

/** The kind of the values of an only column. */
const valueFieldOf = ({ checker }: Project, type: Type): Field => {
  const kinds = new Set(membersOf(checker.getNonNullableType(type) ?? type).map(kindOfFlags));
  const [kind = null] = kinds.size === 1 ? kinds : [];
  return { name: null, kind, isOptional: false };
};

/** Methods of `ReadDb`, `Tx` and `Snapshot`; other objects share some of these names. */
const methods: ReadonlySet<string> = new Set(['any', 'maybe', 'one', 'run', 'each', 'exists']);
/** Methods that return the values of an only column. */
const valueMethods: ReadonlySet<string> = new Set(['values', 'value', 'valueOrNull']);
const isStatement = /^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE|MERGE)\b/;

/** All statements in files below these folders. */
export const statementsOf = (folders: readonly string[]): Statement[] => {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [resolve(root, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (!project) throw new Error('tsconfig.json is no project');
    const textsOf = createReader(project);
    const found: Statement[] = [];
    const visit = (node: Node, file: string): void => {
      node.forEachChild((child) => {
        visit(child, file);
        return undefined;
      });
      if (!isCallExpression(node)) return;
      const line = node.getSourceFile().text.slice(0, node.getStart()).split('\n').length;
      if (isIdentifier(node.expression) && node.expression.text === 'insertId') {
        found.push({ file, line, texts: textsOf(node), fields: null });
        return;
      }
      if (!isPropertyAccessExpression(node.expression)) return;
      const [statement] = node.arguments;
      const method = node.expression.name.text;
      const isValue = valueMethods.has(method);
      if (!statement || !(isValue || methods.has(method))) return;
      const [rowType] = node.typeArguments ?? [];
      const type = rowType && project.checker.getTypeFromTypeNode(rowType);
      const fields = !type ? [] : isValue ? [valueFieldOf(project, type)] : fieldsOf(project, type);
      const isTyped = fields.length > 0;
      const texts = textsOf(statement).filter((text) => isTyped || isStatement.test(text));
      if (!isTyped && texts.length === 0) return;
      found.push({ file, line, texts, fields: isTyped ? fields : null });
    };
    for (const name of project.program.getSourceFileNames()) {
      const file = relative(root, name);
      if (file.endsWith('.test.ts') || !folders.some((folder) => file.startsWith(`${folder}/`))) continue;
      const source = project.program.getSourceFile(name);
      if (source) visit(source, file);
    }
    return found;
  } finally {
    api.close();
  }
};
