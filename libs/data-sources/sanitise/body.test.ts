import { describe, expect, test } from 'vitest';
import { sanitised } from './body.ts';

describe('HTML', () => {
  test('Text, headings, lists, tables, links and images are kept (M-2.12.a4, M-2.12.a5)', () => {
    const html =
      '<h2>New</h2><p>A <strong>bold</strong> word<br /></p><ul><li>One</li></ul>' +
      '<table><tr><td colspan="2">x</td></tr></table><img src="https://efb.example/a.png" alt="A" />';
    expect(sanitised('html', html)).toBe(html);
    expect(sanitised('html', '<a href="https://efb.example" title="t">x</a>')).toBe(
      '<a href="https://efb.example" title="t" rel="noopener noreferrer">x</a>',
    );
  });

  test.each([
    ['<p>a<script>alert(1)</script></p>', '<p>a</p>'],
    ['<img src="https://efb.example/x" onerror=alert(1)>', '<img src="https://efb.example/x" />'],
    ['<img src="data:image/svg+xml,<svg onload=alert(1)>">', '<img />'],
    ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
    ['<a href=" jAvA&#x0A;script:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
    ['<a href="//evil.example">x</a>', '<a rel="noopener noreferrer">x</a>'],
    ['<p style="position:fixed" onclick="a()" id="b">x</p>', '<p>x</p>'],
    ['<iframe src="https://evil.example"></iframe><form><input></form>', ''],
    [
      '<style>p{}</style><svg><a xlink:href="javascript:a()">x</a></svg>',
      '<a rel="noopener noreferrer">x</a>',
    ],
    ['<p>open', '<p>open</p>'],
  ])('%s becomes “%s”', (given, expected) => {
    expect(sanitised('html', given)).toBe(expected);
  });
});

describe('Markdown', () => {
  test('Text that is not HTML is unchanged (M-2.12.a4, M-2.12.a5)', () => {
    const markdown = [
      '# Title',
      '',
      '* one & two, 3 < 4 > 2, `<b>` and <https://efb.example/a?b=1&c=2>',
      '* [link](https://efb.example "t"), ![image](http://efb.example/a.png), [mail](mailto:a@efb.example)',
      '',
      '> quoted \\* text',
      '',
      '```html',
      '<script>example()</script>',
      '```',
      '',
      '[ref]: https://efb.example/ref',
    ].join('\n');
    expect(sanitised('markdown', markdown)).toBe(markdown);
  });

  test.each([
    ['a <script>alert(1)</script> b', 'a alert(1) b'],
    ['<script>\nalert(1)\n</script>\n\nb', 'b'],
    ['<p onclick="a()">Text</p>', 'Text'],
    ['a <scr<b>ipt>x', 'a x'],
    ['[x](javascript:alert(1))', 'x'],
    ['[**x** y](<javascript:alert(1)> "t")', '**x** y'],
    ['[x](&#106;avascript:alert(1))', 'x'],
    ['![alt](data:image/png;base64,AAAA)', 'alt'],
    ['![&lt;script&gt;](data:x)', ''],
    ['[x][r]\n\n[r]: javascript:alert(1)', '[x][r]'],
    ['[x](/relative)', 'x'],
    ['<javascript:alert(1)>', 'javascript:alert(1)'],
    ['[![i](data:x)](javascript:a)', 'i'],
    ['<img src=x onerror=alert(1)//', '&lt;img src=x onerror=alert(1)//'],
    ['\\<b>text', '&lt;b>text'],
    ['<!-- hidden -->', ''],
  ])('%s becomes “%s”', (given, expected) => {
    expect(sanitised('markdown', given)).toBe(expected);
  });

  test('HTML that repeatedly yields more HTML is refused', () => {
    const within = (levels: number) =>
      Array.from({ length: levels }).reduce<string>((inner) => `<i${inner} x="">`, '<b>');
    expect(sanitised('markdown', `a ${within(40)}`)).toBe('a');
    expect(() => sanitised('markdown', `a ${within(60)}`)).toThrow(
      expect.objectContaining({ code: 'INVALID_BODY' }),
    );
  });
});

test('Plain text is unchanged, apart from control characters (M-2.12.a5)', () => {
  expect(sanitised('plain', ' 3 < 4 <b>\r\nnext\tcolumn\u0000\u001b[31m\u202e ')).toBe(
    '3 < 4 <b>\nnext\tcolumn[31m',
  );
});
